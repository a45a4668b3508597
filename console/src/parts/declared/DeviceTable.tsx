import { useMemo } from 'react';
import { familyOf } from '../../../../catalogue/families/index.ts';
import { deviceSource } from './source.ts';
import { DeclaredScreen, type ScreenName } from './RecordScreen.tsx';

/**
 * The devices of a family: search, list with latest readings, details, form, credentials; all from the family's
 * declaration.
 */
export function DeviceTable({ family: key, screen }: { family: string; screen: ScreenName }) {
  const family = familyOf(key);
  const source = useMemo(() => (family ? deviceSource(family) : undefined), [family]);
  if (!source) throw new Error(`the catalogue has no family ${key}`);
  return <DeclaredScreen source={source} screen={screen} />;
}
