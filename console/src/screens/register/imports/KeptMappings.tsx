import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../../../catalogue/families/index.ts';
import { deleteImportMapping, listImportMappings } from '../../../../../contract/register/imports.ts';
import { useCall, useSend } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Card, Icon, formatList } from '../../../parts/index.ts';
import styles from './imports.module.css';

const shownHeadings = 8;

/** As the form of the family has them. */
const inOrder = (family: string, keys: readonly string[]): string[] =>
  (familyOf(family)?.fields ?? []).flatMap(({ key }) => (keys.includes(key) ? [key] : []));

/**
 * What was said of earlier files of a family: used by itself for the next file with the same headings, until somebody
 * takes it away.
 */
export function KeptMappings({ family }: { family: string }) {
  const { t, i18n } = useTranslation('imports');
  const names = useNames();
  const { data } = useCall(listImportMappings, { query: { family } }, { staleTime: 0 });
  const forget = useSend(deleteImportMapping, [listImportMappings]);
  if (!data || data.data.length === 0) return null;
  return (
    <Card title={t('kept.title')}>
      <p className={styles.hint}>{t('kept.text')}</p>
      <ul className={styles.kept}>
        {data.data.map(({ id, headings, fields, system, encoding }) => {
          const name =
            headings
              .filter((heading) => heading !== '')
              .slice(0, shownHeadings)
              .join(' · ') + (headings.length > shownHeadings ? ' …' : '');
          return (
            <li key={id}>
              <span>
                <b>{name}</b>
                <small>
                  {[
                    formatList(
                      inOrder(family, fields).map((key) => names.field(key, family)),
                      i18n.language,
                    ),
                    fields.includes('longitude') ? system : '',
                    encoding?.toUpperCase() ?? '',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </span>
              <Button
                type="text"
                aria-label={t('kept.forget', { name })}
                title={t('kept.forget', { name })}
                icon={<Icon name="close" size={14} />}
                disabled={forget.isPending}
                onClick={() => forget.mutate({ params: { id } })}
              />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
