export function generateInterface(): Promise<string>;
