/**
 * Every permission code of the program, once. `cscp.*` are the family's codes (specified 2.14);
 * ours have the form `subject.verb`. A menu entry's permissionCode must be one of these.
 */
export const permissions = [
  'cscp.user.query', 'cscp.user.add', 'cscp.user.edit', 'cscp.user.del',
  'cscp.role.query', 'cscp.role.add', 'cscp.role.edit', 'cscp.role.del',
  'cscp.wg.query', 'cscp.wg.add', 'cscp.wg.edit', 'cscp.wg.del',
  'cscp.org.query', 'cscp.org.edit', 'cscp.sr',
  'cscp.logging.login', 'cscp.logging.operation',
  'lamp.monitor', 'lamp.control', 'lamp.emergency', 'lamp.approve',
  'device.query', 'device.add', 'device.edit', 'device.del', 'device.credentials', 'device.provision', 'device.secret', 'device.bind', 'device.import', 'device.export',
  'record.query', 'record.add', 'record.edit', 'record.del',
  'account.preview', 'site.appearance', 'site.maps', 'site.history', 'site.commands', 'system.health',
  'demo.control',
] as const;

export type Permission = (typeof permissions)[number];
