/**
 * Styles of a preview page. They load nothing, and use only tags and classes, because n8n's viewer
 * removes every other attribute. The page always looks light, so that it looks alike in n8n's themes.
 */
export const baseStyle = `
:root { color-scheme: light }
* { box-sizing: border-box }
body { margin: 0; padding: 20px; background: #f3f4f8; color: #1b2030; font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
p, h1, h2 { margin: 0 }
.page { max-width: 860px; margin: 0 auto; display: grid; gap: 18px }
.head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline }
.head h1 { font-size: 18px; line-height: 1.3 }
.badge { padding: 1px 10px; border-radius: 99px; background: #dfe5fb; color: #2c43a8; font-size: 12px; font-weight: 600 }
.sheet { background: #fff; border: 1px solid #dde1ea; border-radius: 12px; overflow: hidden }
.scene { min-width: 0; display: grid; gap: 8px; padding: 18px }
.caption, .note { color: #5a6275; font-size: 12px; font-style: normal }
.caption { text-align: center }
.facts { width: 100%; border-spacing: 0 }
.facts th, .facts td { padding: 7px 14px; text-align: left; vertical-align: top; border-top: 1px solid #edf0f5 }
.facts th { width: 132px; color: #5a6275; font-weight: 500 }
.look { display: inline-block; margin-left: 8px; padding: 0 8px 0 0; border-radius: 99px; font-size: 12px; line-height: 20px; color: #8a3d00; background: #fdf1e0 }
.look b { display: inline-block; width: 20px; margin-right: 4px; border-radius: 50%; text-align: center; background: #fde4bd }
.image { display: grid; gap: 2px; padding: 18px 12px; border-radius: 10px; text-align: center; font-size: 12px; color: #4a5468; background: repeating-linear-gradient(135deg, #eceff5 0 12px, #e3e7ef 12px 24px) }
.image b { color: #353c4d }
`;

export const pushStyle = `
.phone { width: 330px; max-width: 100%; min-height: 400px; margin: 0 auto; padding: 30px 12px; border: 8px solid #14171f; border-radius: 40px; color: #fff; background: linear-gradient(165deg, #2b3a78, #6a4a94 48%, #a5566f) }
.android .phone { background: linear-gradient(180deg, #15323a, #2d6a58) }
.clock { padding-bottom: 26px; text-align: center; font-size: 58px; line-height: 1.1; font-weight: 600 }
.card { display: grid; gap: 8px; padding: 13px 15px; border-radius: 20px; color: #14171f; background: #f5f5f9 }
.card-head { display: flex; gap: 8px; align-items: center; font-size: 12px; color: #5a6275 }
.card-head .app { flex: 1; min-width: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.icon { width: 20px; height: 20px; flex: none; border-radius: 6px; background: linear-gradient(135deg, #5b78f2, #3450c8) }
.android .icon { border-radius: 50%; background: linear-gradient(135deg, #2fa37c, #14614a) }
.title { font-weight: 650; font-size: 15px; line-height: 1.35 }
.text bdi { white-space: pre-line }
.buttons { display: flex; gap: 8px }
.buttons span { flex: 1; padding: 6px 10px; border-radius: 8px; text-align: center; font-weight: 600; color: #2c43a8; background: #e4e9fc }
.browser { border: 1px solid #d3d8e3; border-radius: 14px; overflow: hidden; background: #fff }
.bar { display: flex; gap: 12px; align-items: center; padding: 9px 13px; background: #e9ecf3 }
.dots { width: 46px; height: 11px; flex: none; background: radial-gradient(circle at 6px, #ef6a5e 5px, #0000 5.5px), radial-gradient(circle at 23px, #e9b44c 5px, #0000 5.5px), radial-gradient(circle at 40px, #5dbb63 5px, #0000 5.5px) }
.address { flex: 1; min-width: 0; padding: 2px 14px; border-radius: 99px; font-size: 12px; color: #5a6275; background: #fff; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.desk { padding: 56px 16px 22px; background: linear-gradient(160deg, #f7f8fb, #e6ebf6) }
.desk .card { width: 360px; max-width: 100%; margin-left: auto; border-radius: 12px; background: #fff; box-shadow: 0 12px 30px rgb(20 30 60 / 20%) }
`;

export const smsStyle = `
.phone { width: 360px; max-width: 100%; margin: 0 auto; padding: 18px 14px 34px; border: 8px solid #14171f; border-radius: 40px; background: #fff }
.sender { padding-bottom: 10px; margin-bottom: 12px; text-align: center; font-weight: 600; border-bottom: 1px solid #e5e8ee }
.part { margin: 0 0 12px; max-width: 92% }
.bubble { padding: 9px 14px; border-radius: 19px 19px 19px 5px; background: #e8eaf0 }
.bubble bdi { white-space: pre-wrap }
`;

export const emailStyle = `
.mail .facts { border-bottom: 1px solid #dde1ea; background: #fafbfd }
.subject { padding: 18px 20px 10px; font-size: 19px; line-height: 1.3; font-weight: 650 }
.content { padding: 20px; font-size: 15px; overflow: auto; contain: paint }
.plain bdi { white-space: pre-wrap }
.content p { margin: 0 0 1em }
.content h1, .content h2, .content h3 { margin: .4em 0; line-height: 1.25 }
.content .image { margin: 4px 0 }
.link { text-decoration: underline; color: #1a4fb4 }
.content sup { font-size: 11px; color: #5a6275 }
.left-out { padding: 0 6px; border: 1px dashed #b9c0cf; border-radius: 6px; font-size: 12px; color: #5a6275 }
.links { margin: 0; padding: 10px 14px 10px 40px; border-top: 1px solid #dde1ea; font-size: 13px }
.mail + .note, .links + .note { padding: 10px 14px }
`;
