import { type Invariant, invariants, type Violation } from './invariants/invariant.ts';

/** Counts, for each fault and invariant, the trials in which the invariant was violated. */
export function createTable() {
  const rows = new Map<string, { trials: number; violated: Map<Invariant, number> }>();
  return {
    add(name: string, violations: readonly Violation[]) {
      const row = rows.get(name) ?? { trials: 0, violated: new Map() };
      row.trials += 1;
      for (const invariant of new Set(violations.map((one) => one.invariant)))
        row.violated.set(invariant, (row.violated.get(invariant) ?? 0) + 1);
      rows.set(name, row);
    },
    total: () => [...rows.values()].reduce((sum, { violated }) => sum + violated.size, 0),
    /** As a Markdown table. */
    toString() {
      const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
      return [
        line(['fault', 'trials', ...invariants]),
        line(['---', ...['trials', ...invariants].map(() => '--:')]),
        ...[...rows].map(([name, { trials, violated }]) =>
          line([name, trials, ...invariants.map((invariant) => violated.get(invariant) ?? 0)]),
        ),
      ].join('\n');
    },
  };
}
