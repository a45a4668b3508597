import type { RoleTexts } from '../texts.ts';

const jaJP: RoleTexts = {
  created: '役割を作成しました。',
  saved: '役割を保存しました。',
  deleted: '役割を削除しました。',
  narrowed: '外したメニューは下位の役割 {n} 件からも外れました。',
  nameTaken: 'この役割名は既に使用されています',
  between: '、',
};

export default jaJP;
