import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family, Field } from '../../../../../catalogue/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Card, formatNumber } from '../../../parts/index.ts';
import { OptionSelect } from './Constants.tsx';
import { mean, type Import, type Plan } from './plan.ts';
import styles from './imports.module.css';

type SelectField = Extract<Field, { kind: 'select' }>;
interface Word {
  readonly word: string;
  readonly rows: number | null;
}

/**
 * Words of the file that are no option of their field: unknown ones first, then those that were given a meaning before.
 */
const wordsOf = (one: Import, key: string): Word[] => {
  const unknown = one.unknownWords[key] ?? [];
  const said = Object.keys(one.plan.words[key] ?? {}).filter((word) => !unknown.some((other) => other.word === word));
  return [...unknown, ...said.map((word) => ({ word, rows: null }))];
};

/** "This word means …": a choice for each word nobody knows, then the look is made again. */
export function Words({
  one,
  family,
  pending,
  onCheck,
}: {
  one: Import;
  family: Family;
  pending: boolean;
  onCheck: (words: Plan['words']) => void;
}) {
  const { t } = useTranslation('imports');
  const names = useNames();
  const [said, setSaid] = useState<{ of: number | null; words: Plan['words'] }>({ of: null, words: {} });
  const task = one.task?.id ?? 0;
  const words = said.of === task ? said.words : one.plan.words;
  const fields = family.fields.filter(
    (field): field is SelectField => field.kind === 'select' && wordsOf(one, field.key).length > 0,
  );
  if (fields.length === 0) return null;
  const changed = JSON.stringify(words) !== JSON.stringify(one.plan.words);
  return (
    <Card
      title={t(Object.keys(one.unknownWords).length > 0 ? 'words.title' : 'words.said')}
      extra={
        <Button type={changed ? 'primary' : 'default'} disabled={!changed || pending} onClick={() => onCheck(words)}>
          {t('words.check')}
        </Button>
      }
    >
      <p className={styles.hint}>{t('words.text')}</p>
      {fields.map((field) => (
        <div key={field.key} role="group" aria-label={names.field(field.key, family.key)} className={styles.wordGroup}>
          <h3>{names.field(field.key, family.key)}</h3>
          <ul className={styles.words}>
            {wordsOf(one, field.key).map((word) => (
              <WordRow
                key={word.word}
                field={field}
                {...word}
                meaning={words[field.key]?.[word.word]}
                onChange={(option) => setSaid({ of: task, words: mean(words, field.key, word.word, option) })}
              />
            ))}
          </ul>
        </div>
      ))}
    </Card>
  );
}

const EMPTY = ' ';

function WordRow({
  field,
  word,
  rows,
  meaning,
  onChange,
}: Word & { field: SelectField; meaning: string | undefined; onChange: (option: string | undefined) => void }) {
  const { t, i18n } = useTranslation('imports');
  return (
    <li data-open={meaning === undefined || undefined}>
      <span className={styles.word}>
        <b>{word}</b>
        {rows === null ? null : <small className="num">{t('rows', { n: formatNumber(rows, i18n.language, 0) })}</small>}
      </span>
      <span className={styles.means} aria-hidden>
        →
      </span>
      <OptionSelect
        field={field}
        label={t('words.means', { word })}
        value={meaning === '' ? EMPTY : meaning}
        onClear={() => onChange(undefined)}
        onChange={(option) => onChange(option === EMPTY ? '' : option)}
        more={field.required === true ? [] : [{ value: EMPTY, label: t('words.empty') }]}
      />
    </li>
  );
}
