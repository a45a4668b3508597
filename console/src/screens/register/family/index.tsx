import { familyPages, type FamilyPageName } from '../../../../../contract/family-pages.ts';
import { DeviceTable } from '../../../parts/declared/DeviceTable.tsx';

/**
 * The screen of the devices of one family, by its page: one for all of them, everything in it comes from the catalogue.
 */
export function familyScreen(name: FamilyPageName): { default: () => React.ReactNode } {
  const { family } = familyPages[name];
  return {
    default: function FamilyScreen() {
      return <DeviceTable family={family} screen={name} />;
    },
  };
}
