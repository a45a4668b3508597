import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Alert, Card } from '../../../parts/index.ts';
import { encodingName } from './encodings.ts';
import type { Import } from './plan.ts';
import type { Steps } from './use-import.ts';
import styles from './imports.module.css';

const delimiters = [
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'bar'],
] as const;

interface Option {
  readonly label: string;
  readonly sample: string;
}
const sampled = ({ data: { label, sample } }: { readonly data: Option }) => (
  <span className={styles.encoding}>
    <span>{label}</span>
    <small>{sample}</small>
  </span>
);

/**
 * How a text file is read: its encoding, with one line of it in each, and the sign between cells. Another choice reads
 * the columns again.
 */
export function TextCard({ one, steps, onOther }: { one: Import; steps: Steps; onOther: () => void }) {
  const { t } = useTranslation('imports');
  const { encoding, delimiter, sure, candidates } = one.format;
  if (encoding === null) return null;
  const name = (key: string): string => encodingName(key, t);
  const all = candidates.some((one) => one.encoding === encoding)
    ? candidates
    : [{ encoding, sample: '' }, ...candidates];
  const sample = all.find((one) => one.encoding === encoding)?.sample ?? '';
  return (
    <Card title={t('text.title')}>
      <div className={styles.text}>
        {sure ? null : (
          <Alert kind="note" title={t('text.unsure', { encoding: name(encoding) })}>
            {t('text.unsureText')}
          </Alert>
        )}
        <div className={styles.options}>
          <div className={styles.field}>
            <label htmlFor="import-encoding">{t('text.encoding')}</label>
            <Select
              id="import-encoding"
              value={encoding}
              disabled={steps.pending}
              popupMatchSelectWidth={false}
              showSearch={{ optionFilterProp: 'search' }}
              options={all.map((one) => ({
                value: one.encoding,
                label: name(one.encoding),
                search: `${one.encoding} ${name(one.encoding)}`,
                sample: one.sample,
              }))}
              optionRender={sampled}
              onChange={(next: string) => steps.text({ encoding: next }, onOther)}
            />
          </div>
          <div className={styles.field}>
            <label htmlFor="import-delimiter">{t('text.delimiter')}</label>
            <Select<string>
              id="import-delimiter"
              value={delimiter ?? ''}
              disabled={steps.pending}
              onChange={(next) => {
                const chosen = delimiters.find(([sign]) => sign === next)?.[0];
                if (chosen !== undefined) steps.text({ delimiter: chosen }, onOther);
              }}
              options={delimiters.map(([sign, key]) => ({ value: sign, label: t(`delimiter.${key}`) }))}
            />
          </div>
        </div>
        {sample === '' ? null : (
          <p className={styles.textSample}>
            <span className={styles.hint}>{t('text.sample')}</span> <code>{sample}</code>
          </p>
        )}
      </div>
    </Card>
  );
}
