import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../frame/menu/menu-context.ts';
import type { Romanise } from '../../locales/pinyin.ts';
import type { Ask } from '../../parts/commands/commands.ts';
import type { Scope } from '../../parts/commands/send/ScopeFields.tsx';
import { useScopeRows, type ScopeName } from '../../parts/commands/send/use-scope-rows.ts';
import { formatNumber, iconNameOf } from '../../parts/index.ts';
import { inPreview } from '../../session/index.ts';
import { askCommand } from './asked-command.ts';
import type { About, Hit } from './hits.ts';
import { readCommand, verbs, type ReadCommand, type Verb } from './read-command.ts';
import { useRemembered } from './use-remembered.ts';

/** Places offered for one sentence. */
const mostPlaces = 8;
/** Of a dimming that names no level, percent; the dialog offers to change it. */
const usualLevel = 60;

interface Place {
  readonly scope: Scope;
  readonly kind: string;
  readonly name: string;
  /** Kind and name as words are looked for in them. */
  readonly written: string;
}

const askOf = ({ verb, level }: ReadCommand): Ask =>
  verb === 'dim' ? { command: 'dim', level: level ?? usualLevel } : { command: verb };

const aboutOf = ({ name, id }: Scope): About => ({
  kind: 'lamps',
  query: name === 'roadId' ? { roadIds: String(id) } : { [name]: id ?? 0 },
});

/** Every word is part of the place's kind and name, or of its pinyin or initials. */
const isMeant = ({ written, name }: Place, words: readonly string[], romanise: Romanise): boolean =>
  words.every((word) => written.includes(word) || romanise(name).some((one) => one.includes(word)));

/** Every place that has lamps, once they are asked for. */
function usePlaces(enabled: boolean): { places: readonly Place[]; isPending: boolean } {
  const { t } = useTranslation('search');
  const { rows, isPending } = useScopeRows(enabled);
  const places = useMemo(() => {
    const kinds: readonly [ScopeName, string][] = [
      ['roadId', t('road')],
      ['groupId', t('group')],
      ['controllerId', t('controller')],
    ];
    return kinds.flatMap(([scope, kind]) =>
      rows[scope].map(({ id, name, lamps }): Place => ({
        scope: { name: scope, id, lamps },
        kind,
        name,
        written: `${kind}${name}`.normalize('NFKC').toLowerCase(),
      })),
    );
  }, [rows, t]);
  return { places, isPending };
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
  const { places, isPending } = usePlaces(read !== undefined);
  const spoken = useRemembered(romanise);
  if (read === undefined) return { hits: [], named: false, settled: true };
  const named = read.place.length > 0;
  const meant = (named ? places.filter((place) => isMeant(place, read.place, spoken)) : places).slice(0, mostPlaces);
  const start = askOf(read);
  const title = (place: string): string => t(read.verb, { place, level: start.command === 'dim' ? start.level : 0 });
  const icon = iconNameOf('lamp');
  const hits = meant.map(({ scope, kind, name }): Hit => ({
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
  return { hits: named ? hits : [open, ...hits], named, settled: !isPending };
}
