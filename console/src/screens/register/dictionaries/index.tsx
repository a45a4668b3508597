import { useTranslation } from 'react-i18next';
import { useOpen, usePageExists } from '../../../frame/index.ts';
import { RecordScreen } from '../../../parts/declared/RecordScreen.tsx';

/** Dictionaries; each opens the list of its values. */
export default function Dictionaries() {
  const { t } = useTranslation('declared');
  const open = useOpen();
  const exists = usePageExists();
  return (
    <RecordScreen
      record="dictionary"
      screen="asset/dictionaries"
      {...(exists('asset/dictionary-items')
        ? {
            below: {
              label: t('list.values'),
              open: (row) => open(`/asset/dictionary-items?dictId=${row.id}&sort=orderby,asc`),
            },
          }
        : {})}
    />
  );
}
