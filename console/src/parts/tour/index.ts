/** The tour of a demo city: the button on the home page, the list that opens from it and from the account menu. */
export { TourButton } from './TourButton.tsx';
export { TourList } from './TourList.tsx';
export { showTour, tourShown, useTour } from './use-tour.ts';
