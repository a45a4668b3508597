import { DeviceTable } from '../../../parts/DeviceTable.tsx';

/** Single-lamp controllers as assets: what is registered, and what each last reported. */
export default function SingleLampControllers() {
  return <DeviceTable family="single-lamp-controller" screen="asset/single-lamp-controllers" />;
}
