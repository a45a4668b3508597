import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../frame/index.ts';
import { Icon } from '../icons/Icon.tsx';
import { LampMapDialog } from './LampMapDialog.tsx';

interface Props {
  chosen: readonly number[];
  onChange: (ids: readonly number[]) => void;
}

/** The way to choose lamps on the map; without the right to see the lamps there is none. */
export function LampsOnMap({ chosen, onChange }: Props) {
  const { t } = useTranslation('choose-lamps');
  const may = usePermission('lamp.monitor');
  const [opened, setOpened] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button icon={<Icon name="map" size={14} />} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        {t(chosen.length > 0 ? 'change' : 'open')}
      </Button>
      {opened ? (
        <LampMapDialog
          chosen={chosen}
          onChoose={(ids) => {
            onChange(ids);
            setOpened(false);
          }}
          onClose={() => setOpened(false)}
        />
      ) : null}
    </>
  );
}
