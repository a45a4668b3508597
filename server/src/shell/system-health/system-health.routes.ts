import { getSystemHealth } from '../../../../contract/shell/system-health.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { SystemHealth } from './system-health.service.ts';

export const systemHealthRoutes = (health: SystemHealth): Binding[] => [bind(getSystemHealth, () => health.page())];
