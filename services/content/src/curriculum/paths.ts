import { normalizeText } from '@lms/service/normalize-text';

/**
 * The path in the archive that an address in one of its files means; undefined if it leads elsewhere. `folder` is that of
 * the file, empty or ending with a slash. The path is normalized, as those of an archive are.
 */
export function resolvePath(folder: string, address: string): string | undefined {
  const [path = ''] = address.trim().split(/[?#]/);
  if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of decode(path.startsWith('/') ? path : folder + path).split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return normalizeText(parts.join('/'));
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that is part of the name.
    return path;
  }
}

export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
export const extensionOf = (path: string) => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
