import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { showTour, TourList, tourShown, useTour } from '../../parts/tour/index.ts';

/** The list of the tour over whatever page is shown; asks for nothing before it is opened. */
export function TourHost() {
  const open = useStore(tourShown, (state) => state.open);
  return open ? <TourDrawer /> : null;
}

function TourDrawer() {
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
