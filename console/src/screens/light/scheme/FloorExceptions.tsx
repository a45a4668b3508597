import { Button, Input, Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FloorException, SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { roadClasses } from '../../../../../catalogue/records/road.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Field } from '../../../parts/form/index.ts';
import { Card, Icon } from '../../../parts/index.ts';
import { problemIn } from '../../../parts/plan/use-problem-words.ts';
import type { Draft } from '../../../parts/versioned/use-draft.ts';
import styles from './scheme.module.css';

interface Props {
  draft: Draft<SchemeContent>;
  readOnly: boolean;
  findings: readonly { readonly roadClass: string }[];
}

/** Road classes that may be darker than their floor, each with its reason. */
export function FloorExceptions({ draft, readOnly, findings }: Props) {
  const { t } = useTranslation('scheme');
  const names = useNames();
  const id = useId();
  const { content, problems, change } = draft;
  const list = content.floorExceptions;
  const problemOf = problemIn(problems);
  const free = roadClasses.filter((one) => !list.some(({ roadClass }) => roadClass === one));
  const put = (next: readonly FloorException[]): void => change({ ...content, floorExceptions: next });
  if (list.length === 0 && (readOnly || findings.length === 0)) return null;
  const first =
    findings.map(({ roadClass }) => roadClass).find((one) => free.some((other) => other === one)) ?? free[0];
  return (
    <Card title={t('floor.title')}>
      <p className={styles.text}>{t('floor.text')}</p>
      <div className={styles.exceptions}>
        {list.map(({ roadClass, reason }, index) => (
          <div key={roadClass}>
            <Select<string>
              aria-label={t('floor.class')}
              value={roadClass}
              disabled={readOnly}
              style={{ width: 140 }}
              options={[roadClass, ...free].map((value) => ({ value, label: names.option('roadClass', value) }))}
              onChange={(next) => put(list.map((one, at) => (at === index ? { ...one, roadClass: next } : one)))}
            />
            <Field
              id={`${id}-${index}`}
              label={t('floor.reason')}
              required
              problem={problemOf(`floorExceptions.${index}.reason`)}
            >
              {(tie) => (
                <Input
                  {...tie}
                  value={reason}
                  disabled={readOnly}
                  maxLength={200}
                  onChange={(event) =>
                    put(list.map((one, at) => (at === index ? { ...one, reason: event.target.value } : one)))
                  }
                />
              )}
            </Field>
            {readOnly ? null : (
              <Button
                type="text"
                aria-label={t('floor.remove', { name: names.option('roadClass', roadClass) })}
                icon={<Icon name="trash" size={14} />}
                onClick={() => put(list.filter((_, at) => at !== index))}
              />
            )}
          </div>
        ))}
        {readOnly || first === undefined ? null : (
          <Button
            icon={<Icon name="plus" size={14} />}
            onClick={() => put([...list, { roadClass: first, reason: '' }])}
          >
            {t('floor.add')}
          </Button>
        )}
      </div>
    </Card>
  );
}
