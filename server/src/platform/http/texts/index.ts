// Written by `npm run generate` from the JSON files beside it: zh-CN is the source, each language has the same keys and placeholders.
import enUS from './en-US.json' with { type: 'json' };
import frFR from './fr-FR.json' with { type: 'json' };
import jaJP from './ja-JP.json' with { type: 'json' };
import koKR from './ko-KR.json' with { type: 'json' };
import zhCN from './zh-CN.json' with { type: 'json' };
import zhTW from './zh-TW.json' with { type: 'json' };

export const written = { 'zh-CN': zhCN, 'zh-TW': zhTW, 'en-US': enUS, 'fr-FR': frFR, 'ja-JP': jaJP, 'ko-KR': koKR };

/** The placeholders of the words of refusals, where there are some. */
export interface Placeholders {
  'errors.tooManyEntries.detail': 'most';
  'errors.tooDeep.detail': 'most';
  'errors.tooManyNames.detail': 'most';
  'errors.missingPermission.detail': 'permission';
  'errors.tooLarge.detail': 'most';
  'errors.tooManyTries.detail': 'seconds';
  'errors.wrongPassword.detail': 'attempts';
  'errors.accountLocked.detail': 'duration';
  'errors.weakPassword.detail': 'rule';
  'errors.taken.detail': 'what';
  'errors.stillUsed.detail': 'what';
  'errors.roleNotHeld.detail': 'roles';
  'errors.menuNotHeld.detail': 'menus';
  'errors.countNeeded.detail': 'count' | 'minutes';
  'errors.roleInUse.detail': 'total';
  'errors.menusBeyondParent.detail': 'menus';
  'errors.unknownPermission.detail': 'code';
  'errors.menuTypeMisplaced.detail': 'parent' | 'title' | 'type';
  'errors.tooManyViews.detail': 'limit';
  'errors.exportTooLarge.detail': 'count' | 'limit';
  'errors.tooManyTasks.detail': 'limit';
  'errors.importHasErrors.detail': 'count';
  'errors.importRowsGone.detail': 'days';
  'errors.mapServiceFailed.detail': 'reason';
  'errors.noMapArchive.detail': 'reason';
  'errors.historySpan.detail': 'days';
  'errors.historyExportSpan.detail': 'days' | 'given';
  'errors.unknownQuantity.detail': 'quantity';
  'errors.commandEndTooLate.title': 'hours';
  'errors.attachmentTooLarge.detail': 'max';
  'errors.attachmentsFull.detail': 'max';
  'errors.attachmentType.detail': 'allowed';
  'errors.lampInPublication.detail': 'by' | 'id' | 'lamp' | 'scheme';
  'errors.rowsDarken.detail': 'count' | 'minutes' | 'most';
  'errors.rowsBelowFloor.detail': 'count' | 'floor' | 'level';
  'errors.holidaysDarken.detail': 'count' | 'minutes' | 'most';
  'errors.areaDarkens.detail': 'count' | 'minutes' | 'most';
}
