/** A well-formed id. It need not be collision-resistant here. */
export const createId = () =>
  `t${Array.from({ length: 23 }, () => Math.floor(Math.random() * 36).toString(36)).join('')}`;
