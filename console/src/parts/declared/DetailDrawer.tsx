import { Button, Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { carriesOthers } from '../../../../catalogue/capabilities.ts';
import { isDeclared } from '../../../../catalogue/families/index.ts';
import type { FieldValue } from '../../../../catalogue/fields/index.ts';
import { useDeviceAddress, useOpen, usePermission } from '../../frame/index.ts';
import { FieldCell } from '../../fields/index.tsx';
import { useNames } from '../../locales/catalogue-names.ts';
import { ErrorState, Skeleton } from '../notices/Notices.tsx';
import { RelativeTime } from '../time/RelativeTime.tsx';
import { OnlineMark, ReportedValue } from './columns.tsx';
import type { Below, Row, Source } from './source.ts';
import { StatusButton } from './StatusButton.tsx';
import { SecretValue } from './SecretValue.tsx';
import { useLast } from './use-last.ts';
import { useRow } from './use-source.ts';
import styles from './declared.module.css';

interface Props {
  source: Source;
  id: number | null;
  onClose: () => void;
  onEdit: (row: Row) => void;
  onDelete: (row: Row) => void;
  onCredentials: (row: Row) => void;
  onBind: (row: Row) => void;
  below?: Below | undefined;
}

/** What is known of one row, beside the list: every field, and of a device its latest readings. */
export function DetailDrawer({ source, id, onClose, onEdit, onDelete, onCredentials, onBind, below }: Props) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const one = useRow(source, useLast(id));
  const what = source.kind === 'device' ? names.family(source.key) : names.record(source.key);
  return (
    <Drawer
      open={id !== null}
      onClose={onClose}
      size="min(600px, 100vw)"
      title={t('detail.label', { what })}
      styles={{ body: { padding: 0 } }}
      destroyOnHidden
    >
      {one.data ? (
        <Detail source={source} row={one.data} {...{ onClose, onEdit, onDelete, onCredentials, onBind, below }} />
      ) : one.error ? (
        <ErrorState error={one.error} onRetry={one.refetch} />
      ) : (
        <Skeleton rows={8} />
      )}
    </Drawer>
  );
}

function Detail({
  source,
  row,
  onClose,
  onEdit,
  onDelete,
  onCredentials,
  onBind,
  below,
}: Omit<Props, 'id'> & { row: Row }) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const [mayEdit, mayDelete, mayIssue] = [
    usePermission(source.codes.edit),
    usePermission(source.codes.del),
    usePermission(source.codes.credentials ?? ''),
  ];
  const [mayReveal, mayBind] = [usePermission(source.codes.secret ?? ''), usePermission(source.codes.bind ?? '')];
  const open = useOpen();
  const pageOf = useDeviceAddress();
  const page = source.kind === 'device' ? pageOf(source.key, row.id) : undefined;
  const stored = Array.isArray(row['secrets']) ? (row['secrets'] as string[]) : [];
  return (
    <div className={styles.frame}>
      <div className={styles.detail}>
        <div className={styles.detailHead}>
          <b className="code">{String(row[source.codeField])}</b>
          {String(row[source.nameField] ?? '')}
          {typeof row['isOnline'] === 'boolean' ? <OnlineMark online={row['isOnline']} /> : null}
          {source.reports ? null : (
            <span>
              {names.column('updateTime')} <RelativeTime at={row.updateTime} />
            </span>
          )}
        </div>
        {source.quantities.length > 0 ? <Readings source={source} row={row} /> : null}
        {source.sections.map((section) => (
          <section key={section.key}>
            <h3>{names.section(section.key)}</h3>
            <dl className={styles.facts}>
              {source.fields
                .filter(
                  (field) => section.fields.includes(field.key) && (field.kind !== 'reference' || isDeclared(field.to)),
                )
                .map((field) => (
                  <div key={field.key}>
                    <dt>{names.field(field.key, source.key)}</dt>
                    <dd>
                      {mayReveal && stored.includes(field.key) ? (
                        <SecretValue
                          key={row.id}
                          id={row.id}
                          field={field.key}
                          name={names.field(field.key, source.key)}
                        />
                      ) : (
                        <FieldCell
                          field={field}
                          value={(row[field.key] ?? null) as FieldValue}
                          label={stored.includes(field.key) ? t('secret.stored') : row.labels[field.key]}
                        />
                      )}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <div className={styles.foot}>
        {page === undefined ? null : (
          <Button onClick={() => open(page)}>{t(carriesOthers(source.key) ? 'detail.polePage' : 'detail.page')}</Button>
        )}
        {below ? <Button onClick={() => below.open(row)}>{below.label}</Button> : null}
        {mayEdit ? <Button onClick={() => onEdit(row)}>{t('list.edit')}</Button> : null}
        {mayEdit && source.kind === 'device' ? <StatusButton key={row.id} source={source} row={row} /> : null}
        {mayIssue ? <Button onClick={() => onCredentials(row)}>{t('credentials.issue')}</Button> : null}
        {mayBind ? <Button onClick={() => onBind(row)}>{t('bind.open')}</Button> : null}
        {mayDelete ? (
          <Button danger onClick={() => onDelete(row)}>
            {t('list.delete')}
          </Button>
        ) : null}
        <Button type="text" onClick={onClose}>
          {t('detail.close')}
        </Button>
      </div>
    </div>
  );
}

function Readings({ source, row }: { source: Source; row: Row }) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const latest = row['latest'] as { at: string | null; values: Record<string, unknown> } | null;
  const reported = source.quantities.filter((quantity) => latest?.values[quantity.key] !== undefined);
  return (
    <section>
      <h3>
        {t('detail.latest')} {latest?.at ? <RelativeTime at={latest.at} /> : null}
      </h3>
      {reported.length === 0 ? (
        <p>{t('detail.latest.none')}</p>
      ) : (
        <dl className={`${styles.facts} ${styles.readings}`}>
          {reported.map((quantity) => (
            <div key={quantity.key}>
              <dt>{names.quantity(quantity.key)}</dt>
              <dd>
                <ReportedValue quantity={quantity} value={latest?.values[quantity.key]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
