import type { MenuTexts } from '../texts.ts';

const zhTW: MenuTexts = {
  root: '非同步路由設定',
  types: { menu1: '第一層選單', menu2: '第二或第三層選單', 'menu2-sp': '含第三層選單的第二層選單', 'non-menu': '非選單頁面', button: '按鈕元件' },
  added: '新增節點成功！',
  updated: '節點更新完成！',
  deleted: '已成功刪除！',
  typeRequired: '請選擇此節點的資料類型',
  titleRequired: '請填寫路由標題名稱',
  nameRequired: '請填寫路由名稱',
  nameChinese: '請輸入有效的路由名稱，不得包含中文。',
  urlRequired: '請填寫路由存取路徑',
  urlChinese: '請輸入有效的路由路徑，不得包含中文。',
  urlSlash: '第一層路由的存取路徑必須以「/」開頭',
  componentRequired: '請填寫路由對應的 Vue 元件',
  componentChinese: '請輸入有效的元件路徑，不得包含中文。',
  codeRequired: '請選擇按鈕的權限碼，此為必填',
  codeUnknown: '沒有此權限碼，請從清單中選擇',
};

export default zhTW;
