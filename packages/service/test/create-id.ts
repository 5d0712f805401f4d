/** An id of the right shape; that it collides does not matter here. */
export const createId = () =>
  `t${Array.from({ length: 23 }, () => Math.floor(Math.random() * 36).toString(36)).join('')}`;
