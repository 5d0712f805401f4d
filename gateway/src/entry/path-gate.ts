import { badRequest, UriTooLong } from '@lms/service/problems';
import { isUrlTooLong } from '@lms/service/url-length';

// An encoded dot, slash or NUL means one thing here and perhaps another behind; nobody who means well sends them.
const suspicious = /%00|%2f|%5c|(?:\.|%2e){2}|\/\/|\\|#/i;
const unprintable = /[^\x21-\x7e]/;

/**
 * The path of a request target, without its query.
 * @throws a 414 for one that is too long, a 400 for one that two readers could understand in two ways
 */
export function passGate(target: string): string {
  if (isUrlTooLong(target)) throw new UriTooLong();
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  if (path[0] !== '/' || unprintable.test(target) || suspicious.test(path) || !isDecodable(path))
    throw badRequest({ field: 'path', message: 'is ambiguous', value: path });
  return path;
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
