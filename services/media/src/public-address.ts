/** The address of a path for clients. The public URL can have a path of its own. */
export const publicAddress = (publicUrl: string, path: string) => publicUrl.replace(/\/+$/, '') + path;
