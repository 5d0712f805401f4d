import type { NetworkPolicy } from './shapes.ts';

export type Arrow = `${string} → ${string}`;

/** The solid and the dotted arrows of ARCHITECTURE.md's picture, between processes alone. */
export function readPicture(text: string, processes: string[]): Arrow[] {
  const picture = /```mermaid\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const arrows = picture.split('\n').flatMap((line): Arrow[] => {
    const [, from = '', to = ''] = /^\s*([\w &]+?) -- (?:"[^"]*"|\w+) --> ([\w &]+?)\s*$/.exec(line) ?? [];
    const names = (side: string) => side.split('&').map((name) => name.trim());
    return names(from).flatMap((one) => names(to).map((other): Arrow => `${one} → ${other}`));
  });
  const isProcess = (name = '') => processes.includes(name);
  return arrows.filter((arrow) => arrow.split(' → ').every(isProcess)).sort();
}

const nameOf = (labels: Record<string, string> = {}) => labels['app.kubernetes.io/name'] ?? '';

/** Who may call whom, as one side of the policies says. */
export function readPolicies(policies: NetworkPolicy[], side: 'ingress' | 'egress', processes: string[]): Arrow[] {
  const arrows = policies.flatMap(({ spec }) => {
    const self = nameOf(spec.podSelector.matchLabels);
    const peers = side === 'ingress' ? spec.ingress?.flatMap(({ from }) => from) : spec.egress?.flatMap(({ to }) => to);
    return (peers ?? []).map(({ podSelector }): Arrow => {
      const other = nameOf(podSelector?.matchLabels);
      return side === 'ingress' ? `${other} → ${self}` : `${self} → ${other}`;
    });
  });
  const isProcess = (name = '') => processes.includes(name);
  return arrows.filter((arrow) => arrow.split(' → ').every(isProcess)).sort();
}
