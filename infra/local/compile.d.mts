export function compile(root: string): Promise<number>;
export function compiledPath(file: string): string;
export function findFiles(root: string, names: string[]): string[];
