/** The options of an LRUCache that limit its entries. For its option `max`, it would allocate memory for all of them at once. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
