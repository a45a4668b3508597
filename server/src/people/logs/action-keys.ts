/** What a row of the operation log can say that was done, as the features name their changes. */
export const actionKeys = [
  'account.create', 'account.update', 'account.delete', 'account.enable', 'account.disable', 'account.unlock', 'account.reset', 'account.profile',
  'account.changePassword', 'account.endSession', 'account.endSessions', 'account.preview', 'session.end', 'session.confirm', 'session.reused', 'signInLink.create',
  'role.create', 'role.update', 'role.delete', 'role.copy', 'role.menus', 'menu.create', 'menu.update', 'menu.move', 'menu.delete',
  'map.create', 'map.update', 'map.delete', 'map.order', 'map.upload',
  'appearance.create', 'appearance.update', 'appearance.delete',
  'workGroup.create', 'workGroup.update', 'workGroup.delete', 'organisation.create', 'organisation.update', 'organisation.move', 'organisation.delete',
  'log.exportOperations', 'log.exportLogins', 'task.cancel', 'task.delete', 'task.repeat', 'device.attachment.add', 'device.attachment.update', 'device.attachment.delete',
  // As far as the address of a call that was refused unread tells.
  'menu.save', 'organisation.save', 'account.access', 'command.decide', 'newcomer.access', 'log.export',
  'work-area.create', 'work-area.update', 'work-area.delete', 'road.create', 'road.update', 'road.delete', 'loop.create', 'loop.update', 'loop.delete', 'topology.move',
  'equipment-group.create', 'equipment-group.update', 'equipment-group.delete', 'channel.create', 'channel.update', 'channel.delete',
  'dictionary.create', 'dictionary.update', 'dictionary.delete', 'dictionary-item.create', 'dictionary-item.update', 'dictionary-item.delete',
  'device.create', 'device.update', 'device.delete', 'device.credentials', 'device.secret', 'device.bind', 'device.unbind', 'device.import.upload', 'device.import.sheet', 'device.import.text', 'device.import.forgetMapping', 'device.import.check', 'device.import', 'device.import.undo', 'device.import.forget', 'device.export',
  'batch.create', 'batch.update', 'batch.secret', 'batch.delete', 'newcomer.claim', 'newcomer.block', 'newcomer.unblock', 'newcomer.forget',
  'history.export', 'history.retention', 'history.clean', 'site.restore',
  'command.create', 'command.retry', 'command.verify', 'command.cancel', 'command.resume', 'command.approve', 'command.refuse', 'command.export', 'command.settings', 'command.pace', 'demo.endEvening',
] as const;
export type ActionKey = (typeof actionKeys)[number];

/** How a sign-in try can succeed; every other outcome is a name of the error catalogue. */
export const outcomeKeys = ['signedIn', 'signedInByLink', 'passwordChangeNeeded', 'passwordChanged'] as const;
export type OutcomeKey = (typeof outcomeKeys)[number];
