import { useTranslation } from 'react-i18next';
import { getLampFilters } from '../../../../contract/light/lamps.ts';
import { useCall } from '../../api/index.ts';
import { usePermission } from '../../frame/menu/menu-context.ts';
import type { Romanise } from '../../locales/pinyin.ts';
import type { Ask } from '../../parts/commands/commands.ts';
import type { Scope, ScopeName } from '../../parts/commands/send/ScopeFields.tsx';
import { formatNumber, iconNameOf } from '../../parts/index.ts';
import { inPreview } from '../../session/index.ts';
import { askCommand } from './asked-command.ts';
import type { About, Hit } from './hits.ts';
import { readCommand, verbs, type ReadCommand, type Verb } from './read-command.ts';

/** Places offered for one sentence. */
const mostPlaces = 8;
/** Of a dimming that names no level, percent; the dialog offers to change it. */
const usualLevel = 60;

interface Place {
  readonly scope: Scope;
  readonly kind: string;
  readonly name: string;
}

const askOf = ({ verb, level }: ReadCommand): Ask =>
  verb === 'dim' ? { command: 'dim', level: level ?? usualLevel } : { command: verb };

const aboutOf = ({ name, id }: Scope): About => ({
  kind: 'lamps',
  query: name === 'roadId' ? { roadIds: String(id) } : { [name]: id ?? 0 },
});

/** Every word is part of the place's kind and name, or of its pinyin or initials. */
function isMeant(place: Place, words: readonly string[], romanise: Romanise): boolean {
  const written = `${place.kind}${place.name}`.normalize('NFKC').toLowerCase();
  const spoken = romanise(place.name);
  return words.every((word) => written.includes(word) || spoken.some((one) => one.includes(word)));
}

/**
 * Commands to the lamps of a place that a sentence may mean: each opens the dialog of every command, filled in. Nothing
 * for an account that may not control. `named`: a place was named, so a command is meant. `settled`: the places are known.
 */
export function useCommandHits(text: string, romanise: Romanise): { hits: Hit[]; named: boolean; settled: boolean } {
  const { t, i18n } = useTranslation('search');
  const may = [usePermission('lamp.control'), usePermission('lamp.monitor'), !inPreview()].every(Boolean);
  const words = Object.fromEntries(verbs.map((verb) => [verb, t(`words.${verb}`).split('|')])) as Record<
    Verb,
    string[]
  >;
  const read = may ? readCommand(text, words) : undefined;
  const options = useCall(getLampFilters, undefined, { enabled: read !== undefined, staleTime: 60_000 });
  if (read === undefined) return { hits: [], named: false, settled: true };
  const rows: Record<ScopeName, readonly { id: number; name: string; lamps: number }[]> = {
    roadId: options.data?.roads ?? [],
    groupId: options.data?.groups ?? [],
    controllerId: (options.data?.controllers ?? []).map(({ code, name, ...rest }) => ({
      ...rest,
      name: name ? `${code} ${name}` : code,
    })),
  };
  const kinds: [ScopeName, string][] = [
    ['roadId', t('road')],
    ['groupId', t('group')],
    ['controllerId', t('controller')],
  ];
  const places = kinds
    .flatMap(([name, kind]) =>
      rows[name].map((row): Place => ({ scope: { name, id: row.id, lamps: row.lamps }, kind, name: row.name })),
    )
    .filter((place) => isMeant(place, read.place, romanise))
    .slice(0, mostPlaces);
  const start = askOf(read);
  const title = (place: string): string => t(read.verb, { place, level: start.command === 'dim' ? start.level : 0 });
  const icon = iconNameOf('lamp');
  const hits = places.map(({ scope, kind, name }): Hit => ({
    key: `command-${scope.name}-${scope.id}`,
    icon,
    code: null,
    title: title(name),
    place: t('lamps', { kind, n: formatNumber(scope.lamps, i18n.language, 0) }),
    go: { act: () => askCommand({ start, scope }), asks: true },
    about: aboutOf(scope),
  }));
  const open: Hit = {
    key: 'command-any',
    icon,
    code: null,
    title: title(t('choose')),
    place: '',
    go: { act: () => askCommand({ start, scope: null }), asks: true },
  };
  // Words that fit no place are no reason to offer all of them.
  return {
    hits: read.place.length === 0 ? [open, ...hits] : hits,
    named: read.place.length > 0,
    settled: options.data !== undefined || options.error !== null,
  };
}
