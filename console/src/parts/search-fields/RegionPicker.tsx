import { useEffect, useState } from 'react';
import type { Region } from '../../fields/region.ts';
import { RegionCascade, type RegionProps } from '../../fields/RegionCascade.tsx';
import { divisions, isDivisionCode } from './divisions.ts';

/**
 * Province, city, district, each of which may be the choice; its official code is the value. The divisions come when it
 * is opened, or to name what is chosen.
 */
export function RegionPicker({ id, value, onChange }: RegionProps) {
  const [opened, setOpened] = useState(false);
  const [tries, setTries] = useState(0);
  const [known, setKnown] = useState<readonly Region[] | 'failed' | undefined>();
  const chosen = isDivisionCode(value);
  const wanted = opened || chosen;
  useEffect(() => {
    if (!wanted) return undefined;
    let wantsIt = true;
    divisions().then(
      (all) => {
        if (wantsIt) setKnown(all);
      },
      () => {
        if (wantsIt) setKnown('failed');
      },
    );
    return () => {
      wantsIt = false;
    };
  }, [wanted, tries]);
  return (
    <RegionCascade
      id={id}
      value={chosen ? value : ''}
      onChange={onChange}
      regions={wanted ? known : []}
      onOpen={() => {
        setOpened(true);
        if (known === 'failed') {
          setKnown(undefined);
          setTries(tries + 1);
        }
      }}
    />
  );
}
