import { normalizeText } from '@lms/service/normalize-text';

/** A title of another product as names are: on one line, without spaces in a row. */
export const cleanTitle = (title: string) => normalizeText(title.replaceAll(/[\p{Cc}\s]+/gu, ' '));
