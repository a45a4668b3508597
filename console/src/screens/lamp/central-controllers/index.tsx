import { DeviceTable } from '../../../parts/DeviceTable.tsx';

/** The central controllers in the cabinets. */
export default function CentralControllers() {
  return <DeviceTable family="central-controller" screen="lamp/central-controllers" />;
}
