import { freezeScheme, withdrawScheme } from '../../../../contract/light/schemes.ts';
import { freezeTemplate, retireTemplate } from '../../../../contract/light/templates.ts';
import { Affects } from '../dry-run/Affects.tsx';

interface Props {
  kind: 'schemes' | 'templates';
  act: 'freeze' | 'withdraw';
  item: { readonly id: number; readonly version: number };
}

// Lamps hear of a version when it is published to them, not before.
const said = { things: ['assignments', 'publicationLamps'], otherwise: 'none' } as const;

/** What freezing or withdrawing would do to lamps. */
export function ActAffects({ kind, act, item: { id, version } }: Props) {
  const params = { id };
  if (act === 'withdraw')
    return (
      <Affects
        route={kind === 'schemes' ? withdrawScheme : retireTemplate}
        input={{ params, body: { version } }}
        {...said}
      />
    );
  return (
    <Affects
      route={kind === 'schemes' ? freezeScheme : freezeTemplate}
      // What follows does not depend on the note, which is written meanwhile.
      input={{ params, body: { version, note: null } }}
      {...said}
    />
  );
}
