import type { RoleTexts } from '../texts.ts';

const jaJP: RoleTexts = {
  created: '役割を作成しました。',
  saved: '役割を保存しました。',
  deleted: '役割を削除しました。',
  narrowed: '外したメニューは下位の役割 {n} 件からも外れました。',
  between: '、',
};

export default jaJP;
