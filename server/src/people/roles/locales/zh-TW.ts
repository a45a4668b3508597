import type { RoleTexts } from '../texts.ts';

const zhTW: RoleTexts = {
  created: '已建立角色！',
  saved: '已儲存角色！',
  deleted: '已刪除角色！',
  narrowed: '其下 {n} 個角色同時失去了被移除的選單。',
  nameTaken: '角色名稱已存在',
  between: '、',
};

export default zhTW;
