/** Prints a Markdown table: the first column is text, the others are numbers. */
export function printTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]) {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  console.log(
    ['', line(header), line(header.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n'),
  );
}

type Limit = { atLeast: number } | { atMost: number };

/** Collects what is compared with a target. A missed target makes the process exit with 1. */
export function createTargets() {
  const rows: string[][] = [];
  return {
    check(name: string, measured: number, limit: Limit) {
      const isMet = 'atLeast' in limit ? measured >= limit.atLeast : measured <= limit.atMost;
      const target = 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`;
      rows.push([name, target, measured.toFixed(2), isMet ? 'met' : 'missed']);
      if (!isMet) process.exitCode = 1;
    },
    print() {
      if (rows.length > 0) printTable(['target', '', 'measured', ''], rows);
    },
  };
}
