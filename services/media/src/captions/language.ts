const maxLength = 35;

/** The canonical form of a BCP 47 language tag; undefined if it is not valid. */
export function canonicalLanguage(tag: string): string | undefined {
  if (tag.length > maxLength) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** The name of a language in that language: "Deutsch" for `de`. */
export const nameOfLanguage = (language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
