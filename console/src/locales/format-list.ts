/** Several names in one line, in the writing of a language; without an "and", because more may follow. */
export const formatList = (items: readonly string[], language: string): string =>
  new Intl.ListFormat(language === 'en-XA' ? 'en-US' : language, { type: 'conjunction', style: 'narrow' }).format(
    items,
  );
