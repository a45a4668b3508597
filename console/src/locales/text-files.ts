type Texts = Readonly<Record<string, string>>;

/** The sign-in page is an entry of its own with texts of its own. */
const files = import.meta.glob<{ default: Texts }>(['../**/texts/*.json', '!../sign-in/**']);
/** An area is called as the folder whose texts it has: `lists/en-US` is `parts/lists/texts/en-US.json`. */
const loaders = new Map(
  Object.entries(files).map(([path, load]) => [path.replace(/^.*?([^/]+)\/texts\/([^/]+)\.json$/, '$1/$2'), load]),
);

/**
 * Loads the texts of an area in a language; undefined: there are none. The build puts bundles in the place of this
 * module (bundle/texts.ts).
 */
export const readTexts = (area: string, language: string): Promise<Texts> | undefined =>
  loaders
    .get(`${area}/${language}`)?.()
    .then(({ default: texts }) => texts);
