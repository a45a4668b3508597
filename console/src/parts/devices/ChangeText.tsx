import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { families } from '../../../../catalogue/families/index.ts';
import type { Field } from '../../../../catalogue/fields/index.ts';
import type { FieldChange } from '../../../../contract/register/device-history.ts';
import { FieldCell } from '../../fields/index.tsx';
import { useNames } from '../../locales/catalogue-names.ts';
import type { Entry } from './Timeline.tsx';
import styles from './device.module.css';

type Change = NonNullable<Entry['change']>;
const fieldOf = (key: string): Field | undefined =>
  families.flatMap(({ fields }) => fields).find((field) => field.key === key);

const ways = { import: 'change.import', 'import.undo': 'change.undo', move: 'change.move' } as const;

/** Who changed the record of a device, through what, and what from and to. */
export function ChangeText({ change }: { change: Change }) {
  const { t } = useTranslation('devices');
  const what = change.kind === 'updated' && change.left ? 'left' : change.kind;
  const file = change.note ?? '';
  const through = change.source === 'edit' ? change.actorName : t(ways[change.source], { who: change.actorName, file });
  return (
    <>
      <b>{t(`change.${what}`)}</b>
      <small>{through}</small>
      {change.fields.length === 0 ? null : (
        <dl className={styles.changes}>
          {change.fields.map((one) => (
            <FieldLine key={one.field} change={one} />
          ))}
        </dl>
      )}
    </>
  );
}

function FieldLine({
  change: { field: key, from, to, fromLabel, toLabel, masked },
}: {
  change: Static<typeof FieldChange>;
}) {
  const { t } = useTranslation('devices');
  const names = useNames();
  const field = fieldOf(key);
  const shown = (value: typeof from, label: string | null) =>
    field ? (
      <FieldCell field={field} value={value} label={label ?? undefined} />
    ) : (
      <>{value === null ? '—' : String(value)}</>
    );
  return (
    <div>
      <dt>{names.field(key)}</dt>
      <dd>
        {masked ? (
          t('change.masked')
        ) : (
          <>
            <span className={styles.old}>{shown(from, fromLabel)}</span>
            <span aria-hidden> → </span>
            <span className="visually-hidden">{t('change.to')}</span>
            {shown(to, toLabel)}
          </>
        )}
      </dd>
    </div>
  );
}
