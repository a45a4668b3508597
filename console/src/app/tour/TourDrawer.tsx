import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { showTour, TourList, useTour } from '../../parts/tour/index.ts';

/** The list of what to look at, over the page. */
export default function TourDrawer() {
  const { t } = useTranslation('tour');
  const { t: shell } = useTranslation('shell');
  const tour = useTour();
  return (
    <Drawer
      open
      title={t('title')}
      onClose={() => showTour(false)}
      size={440}
      closable={{ 'aria-label': shell('close') }}
    >
      {tour ? <TourList tour={tour} /> : null}
    </Drawer>
  );
}
