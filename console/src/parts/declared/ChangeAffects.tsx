import type { FieldValue } from '../../../../catalogue/fields/index.ts';
import type { Values } from '../../../../catalogue/family.ts';
import { validate } from '../../../../catalogue/validate.ts';
import { updateDevice } from '../../../../contract/register/devices.ts';
import { updateRecord } from '../../../../contract/register/records.ts';
import { Affects, SeveralAffect, type Effect } from '../dry-run/Affects.tsx';
import type { Row, Source } from './source.ts';

type Changes = Readonly<Record<string, FieldValue>>;

// What goes along with a device or a record: plans and places in rows.
const ofDevice = ['devices', 'assignments', 'positions', 'deviceAccounts'] as const;
const ofRecord = ['records', 'devices', 'assignments', 'positions'] as const;

/** Lamps may get darker by the time of their project, or by what a pole is in its row. */
const effectOf = ({ darkens = 0 }: { readonly darkens?: number }): Effect => ({ darker: darkens });

/** What saving a form would change beside its own row, asked once what was typed is right and rests. */
export function ChangeAffects({
  source,
  row: { id, version },
  changes,
  known,
}: {
  source: Source;
  row: Row;
  changes: Changes;
  /** What the row has: rules look at both. */
  known: Values;
}) {
  // Pictures and secrets are sent once, when they are saved.
  const once = source.fields.some(
    ({ key, kind }) => (kind === 'picture' || kind === 'secret') && Object.hasOwn(changes, key),
  );
  const ready = !once && Object.keys(changes).length > 0 && 'value' in validate(source, changes, 'update', known);
  const body = { ...changes, version };
  return source.kind === 'device' ? (
    <Affects
      route={updateDevice}
      input={ready ? { params: { id }, body } : null}
      things={ofDevice}
      shown={1}
      effectOf={effectOf}
    />
  ) : (
    <Affects
      route={updateRecord}
      input={ready ? { params: { record: source.key, id }, body } : null}
      things={ofRecord}
      shown={1}
      effectOf={effectOf}
    />
  );
}

/** What the same change of several devices would do; null: it is not chosen yet. */
export function SeveralChanges({ rows, change }: { rows: readonly Row[]; change: Changes | null }) {
  return (
    <SeveralAffect
      route={updateDevice}
      inputs={change && rows.map(({ id }) => ({ params: { id }, body: change }))}
      things={ofDevice}
      shown={rows.length}
    />
  );
}
