import type { NetworkPolicy } from './schemas.ts';

export type Call = `${string} → ${string}`;

/** Reads the calls between processes from the diagram in ARCHITECTURE.md. */
export function readDiagramCalls(text: string, processes: string[]): Call[] {
  const diagram = /```mermaid\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const calls = diagram.split('\n').flatMap((line): Call[] => {
    const [, from = '', to = ''] = /^\s*([\w &]+?) -- (?:"[^"]*"|\w+) --> ([\w &]+?)\s*$/.exec(line) ?? [];
    const names = (side: string) => side.split('&').map((name) => name.trim());
    return names(from).flatMap((one) => names(to).map((other): Call => `${one} → ${other}`));
  });
  const isProcess = (name = '') => processes.includes(name);
  return calls.filter((call) => call.split(' → ').every(isProcess)).sort();
}

const nameOf = (labels: Record<string, string> = {}) => labels['app.kubernetes.io/name'] ?? '';

/** Returns the calls that the ingress or egress rules allow. */
export function readPolicyCalls(policies: NetworkPolicy[], side: 'ingress' | 'egress', processes: string[]): Call[] {
  const calls = policies.flatMap(({ spec }) => {
    const self = nameOf(spec.podSelector.matchLabels);
    const peers = side === 'ingress' ? spec.ingress?.flatMap(({ from }) => from) : spec.egress?.flatMap(({ to }) => to);
    return (peers ?? []).map(({ podSelector }): Call => {
      const other = nameOf(podSelector?.matchLabels);
      return side === 'ingress' ? `${other} → ${self}` : `${self} → ${other}`;
    });
  });
  const isProcess = (name = '') => processes.includes(name);
  return calls.filter((call) => call.split(' → ').every(isProcess)).sort();
}
