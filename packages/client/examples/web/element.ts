type Child = Node | string | undefined | false;
type Properties<K extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[K], 'children'>>;

/** Creates an element: `element('a', { href: '#/' }, 'Courses')`. Texts are never parsed as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Properties<K> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children.filter((child) => child !== undefined && child !== false));
  return created;
}
