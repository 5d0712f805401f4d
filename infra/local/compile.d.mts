export function compile(root: string): Promise<number>;
export function compiledPath(root: string, file: string): string;
