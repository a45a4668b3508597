import { DeviceTable } from '../../../parts/DeviceTable.tsx';

/** The lamp poles. */
export default function Poles() {
  return <DeviceTable family="lamp-pole" screen="pole/poles" />;
}
