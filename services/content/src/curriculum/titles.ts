import { normalizeText } from '@lms/service/normalize-text';

/** The first characters, as code points. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = 0;
  for (let length = 0; length < maxLength && end < text.length; length += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** A title of another product as names are: on one line, without spaces in a row. */
export const cleanTitle = (title: string) => normalizeText(title.replaceAll(/[\p{Cc}\s]+/gu, ' '));
