import type { Language } from '../../../../catalogue/languages.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import {
  appearanceLimits,
  type createLoginAppearance,
  type updateLoginAppearance,
} from '../../../../contract/people/login-appearances.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  problemsOf,
  refuse,
  refuseFields,
  wordedProblems,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import { redrawPicture } from '../../platform/pictures.ts';
import * as store from './login-appearance.store.ts';
import { defaultName } from './texts.ts';

/** Runs the SQL of a change in one transaction with its log row. */
type Change = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
type Given = BodyOf<typeof updateLoginAppearance>;

/** An appearance with every text filled in. */
export interface Appearance extends store.AppearanceRow {
  readonly name: string;
  readonly title: string;
}

/** The general one (specified 1.15: the call with id 1). */
const generalId = 1;
/** Everybody who opens the sign-in page loads them: small, and sharp enough for a phone's screen. */
const longestSides = { logo: appearanceLimits.logoSide, icon: appearanceLimits.iconSide } as const;

export type LoginAppearances = ReturnType<typeof createLoginAppearances>;

/**
 * What the sign-in page and the browser tab show: one general appearance, others per host name, one marked as the
 * company's.
 */
export function createLoginAppearances({ db }: { readonly db: Db }) {
  const shown = (row: store.AppearanceRow, language: Language): Appearance => ({
    ...row,
    name: row.name ?? defaultName(language),
    title: row.title ?? defaultName(language),
  });

  return {
    /** What `host` is to show: its own, the one of its name without the port, else the general one. */
    async ofHost(host: string, language: Language): Promise<Appearance> {
      const row = await store.findForHost(db, spellings(host));
      return shown(
        row ?? {
          id: generalId,
          version: 1,
          host: null,
          company: false,
          name: null,
          title: null,
          logo: null,
          icon: null,
        },
        language,
      );
    },
    async byId(id: number, language: Language): Promise<Appearance> {
      const row = await store.findById(db, id);
      if (!row) throw refuse('notFound');
      return shown(row, language);
    },
    list: async (language: Language): Promise<Appearance[]> =>
      (await store.findAll(db)).map((row) => shown(row, language)),

    /** What the rules say of a form, for whom its shape is refused: everything at once. */
    async problems(id: number | undefined, body: Sound<Given>): Promise<readonly RuleProblem[]> {
      const { values, problems } = await read(body);
      return [
        ...problems,
        ...(await problemsOf(
          () => refuseWithoutHost(id, values, 'host' in body && body.host === undefined),
          () => refuseTaken(db, id ?? 0, values),
        )),
      ];
    },

    async create(change: Change, body: BodyOf<typeof createLoginAppearance>, language: Language): Promise<Appearance> {
      const values = await prepared(body);
      refuseWithoutHost(undefined, values);
      return change(async (tx) => {
        await store.lockAll(tx);
        await refuseTaken(tx, 0, values);
        if (values.company) await store.takeCompanyMark(tx, 0);
        return shown(await store.insert(tx, values), language);
      });
    },

    async update(change: Change, id: number, { version, ...body }: Given, language: Language): Promise<Appearance> {
      const given = await prepared(body);
      return change(async (tx) => {
        await store.lockAll(tx);
        const row = await store.findById(tx, id);
        if (!row) throw refuse('notFound');
        if (id === generalId && typeof given.host === 'string') throw refuse('builtInAppearance');
        refuseWithoutHost(id, given);
        await refuseTaken(tx, id, given);
        if (version !== undefined && version !== row.version) throw refuse('changedMeanwhile');
        if (given.company) await store.takeCompanyMark(tx, id);
        return shown(await store.update(tx, id, withoutDefaults(row, given, language)), language);
      });
    },

    remove: (change: Change, id: number): Promise<void> =>
      change(async (tx) => {
        await store.lockAll(tx);
        if (id === generalId)
          await store.update(tx, id, { company: false, name: null, title: null, logo: null, icon: null });
        else if (!(await store.remove(tx, id))) throw refuse('notFound');
      }),
  };
}

/** A host name as it may be stored: as asked for, and without its port. */
function spellings(host: string): string[] {
  const whole = host.trim().toLowerCase();
  const bare = whole.replace(/:\d+$/, '').replace(/\.$/, '');
  return bare === whole ? [whole] : [whole, bare];
}

/** Texts trimmed, host names in lower case, pictures drawn again, with every field that is wrong. */
async function read(body: Sound<Given>): Promise<{ values: store.AppearanceValues; problems: RuleProblem[] }> {
  const text = (value: string | undefined) => (value === undefined ? undefined : value.normalize('NFC').trim());
  const [name, title] = [text(body.name), text(body.title)];
  const empty = (
    [
      ['name', name],
      ['title', title],
    ] as const
  )
    .filter(([, value]) => value === '')
    .map(([field]) => ({ field, rule: 'required' as const }));
  const pictures: { logo?: string | null; icon?: string | null } = {};
  const bad: ('logo' | 'icon')[] = [];
  for (const field of ['logo', 'icon'] as const) {
    const source = body[field];
    if (source === undefined) continue;
    const drawn =
      source === null || source === '' ? null : await redrawPicture(source, { longestSide: longestSides[field] });
    if (drawn === undefined) bad.push(field);
    else pictures[field] = drawn;
  }
  const values = {
    ...pictures,
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(body.company === undefined ? {} : { company: body.company }),
    ...(body.host === undefined
      ? {}
      : { host: body.host === null ? null : body.host.toLowerCase().replace(/\.(?=$|:)/, '') }),
  };
  return { values, problems: [...empty, ...wordedProblems(bad.map((field) => ({ field, rule: 'picture' })))] };
}

async function prepared(body: Given): Promise<store.AppearanceValues> {
  const { values, problems } = await read(body);
  if (problems.length > 0) throw refuseFields(...problems);
  return values;
}

/** A name that is still the product's own stays so in every language, though a form sends it back. */
function withoutDefaults(
  row: store.AppearanceRow,
  given: store.AppearanceValues,
  language: Language,
): store.AppearanceValues {
  const own = (key: 'name' | 'title') =>
    row[key] === null && given[key] === defaultName(language) ? { [key]: null } : {};
  return { ...given, ...own('name'), ...own('title') };
}

/** Only the general one, which is there from the beginning, is for every host. */
function refuseWithoutHost(id: number | undefined, { host }: store.AppearanceValues, isWrong = false): void {
  const isMissing = id === undefined ? !host && !isWrong : id !== generalId && host === null;
  if (isMissing) throw refuseFields({ field: 'host', rule: 'required' });
}

async function refuseTaken(tx: Db | Transaction, id: number, { host }: store.AppearanceValues): Promise<void> {
  if (!host) return;
  if (await store.isTaken(tx, host, id)) throw refuseFields({ field: 'host', rule: 'taken' });
}
