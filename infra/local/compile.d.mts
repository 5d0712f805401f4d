export function compile(root: string): Promise<number>;
export function compiledPath(file: string): string;
