import { type Html, html } from './html.ts'

/** Each row of a table as a block of its own, where its columns have no room. The caption must be a block, too: beside blocks it is as narrow as its longest word. */
const rowsAsBlocks = (table: string): Html =>
  html`${table} thead{position:absolute;clip-path:inset(50%);height:1px;width:1px;overflow:hidden}${table},${table} caption,${table} tbody,${table} tr{display:block}${table} td,${table} tbody th{display:inline-block;max-width:100%;border:0;padding:.05rem .75rem .05rem 0}${table} td:empty{display:none}${table} tr{border-bottom:1px solid var(--line);padding:.5rem 0}${table} .num{text-align:left!important}`

/**
 * The style of each page. It stands in the page, and its hash in the page's policy, so that nothing else is a style. The darker (in the dark scheme: the
 * brighter) a cell of the access map is, the more people it stands for.
 */
export const styleElement = html`<style>
:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--ink:#1b1f24;--dim:#555e68;--line:#dfe2e6;--link:#0b57a4;--focus:#0b57a4;
--alarm:#a3190f;--alarm-bg:#fdeceb;--wait:#7a4300;--wait-bg:#fff3df;--good:#17602f;--code:#f1f3f5;--frame:#1b1f24;
--a1:#e6eff9;--a2:#c6dcf2;--a3:#94bfe8;--a4:#2b6cb0;--a5:#153f73;--p1:#fde9e0;--p2:#f9cbb5;--p3:#f1a27f;--p4:#b23f17;--p5:#75240a;--on:#14202c;--on4:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#14171b;--card:#1b1f25;--ink:#e7eaee;--dim:#a4aeb9;--line:#333a43;--link:#8cc2ff;--focus:#8cc2ff;
--alarm:#ffa198;--alarm-bg:#3a1a18;--wait:#f3c272;--wait-bg:#35280f;--good:#7fd69a;--code:#262c34;--frame:#fff;
--a1:#1c2d42;--a2:#22436a;--a3:#2a5f9c;--a4:#79b2ee;--a5:#c4e0ff;--p1:#3c2119;--p2:#612e1b;--p3:#92411f;--p4:#ef8f66;--p5:#ffc9b0;--on:#fff;--on4:#0b1420}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
header,main,footer{max-width:84rem;margin:0 auto;padding:0 clamp(1rem,4vw,3rem)}
header{padding-top:2rem}
h1{font-size:clamp(1.6rem,1.2rem + 2vw,2.4rem);line-height:1.2;margin:.25rem 0 .5rem;font-weight:650;letter-spacing:-.01em}
h1.alarm{color:var(--alarm)}h1.wait{color:var(--wait)}h1.good{color:var(--good)}
h2{font-size:1.3rem;line-height:1.3;margin:0 0 .25rem;font-weight:650}
h3{font-size:1rem;margin:1.5rem 0 .5rem;font-weight:650}
h4{font-size:1rem;margin:1rem 0 .25rem;font-weight:650}
p,dl,dd,ul,ol{margin:0}ul,ol{padding:0;list-style:none}
a{color:var(--link)}:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:2px}
.dim{color:var(--dim)}.alarm{color:var(--alarm)}.wait{color:var(--wait)}.good{color:var(--good)}.small{font-size:.875rem}
.n{white-space:pre-wrap}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-top:1rem}
main>section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:clamp(1rem,2.5vw,1.75rem);margin:1.25rem 0}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:1rem 2rem;margin-top:.75rem}
dt{color:var(--dim);font-size:.875rem}
.tags{display:flex;flex-wrap:wrap;gap:.4rem;margin:.6rem 0 0}
.tag{border:1px solid var(--line);border-radius:99px;padding:.05rem .7rem;font-size:.875rem}
.tag.alarm{border-color:currentColor;background:var(--alarm-bg);font-weight:600}.tag.wait{border-color:currentColor;background:var(--wait-bg);font-weight:600}
.rows>li{border-left:3px solid var(--line);padding:.15rem 0 .15rem .9rem;margin:.6rem 0}
.rows>li.alarm{color:inherit;border-color:var(--alarm)}.rows>li.wait{color:inherit;border-color:var(--wait)}
.rows b{font-weight:650}
.word{color:var(--alarm);font-weight:650}
code{display:block;font:.875rem/1.5 ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;background:var(--code);border-radius:6px;padding:.4rem .7rem;margin:.35rem 0;white-space:pre-wrap;user-select:all}
.legend{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;align-items:center;margin:.5rem 0 0;font-size:.875rem;color:var(--dim)}
.legend span{display:inline-flex;align-items:center;gap:.3rem}
.legend i{display:inline-block;width:1.5rem;height:1.1rem;border-radius:3px;flex:none}
.maps{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(19rem,100%),1fr));gap:1rem 2rem;margin-top:.75rem;align-items:start}
.map{border-collapse:separate;border-spacing:2px;width:100%;table-layout:fixed;font-size:.8125rem}
.map caption,.sheet caption{text-align:left;color:var(--dim);font-size:.875rem;padding-bottom:.2rem}
.map th{font-weight:500;text-align:left;vertical-align:middle;padding:.1rem .25rem .1rem 0;line-height:1.25}
.map thead th{font-size:.75rem;color:var(--dim);vertical-align:bottom}
.map thead th:first-child{width:36%}
.map thead th+th{text-align:center;padding:.1rem 0}
.wide .map thead th+th{writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;vertical-align:middle;white-space:nowrap;line-height:1;padding:0 0 .25rem}
.map td{padding:0;text-align:center;height:1.55rem;border-radius:3px}
.map td a{display:block;white-space:nowrap;line-height:1.55rem;color:inherit;text-decoration:none;border-radius:3px}
.map td a:hover{text-decoration:underline}
.a0,.p0{box-shadow:inset 0 0 0 1px var(--line)}.a1{background:var(--a1);color:var(--on)}.a2{background:var(--a2);color:var(--on)}.a3{background:var(--a3);color:var(--on)}.a4{background:var(--a4);color:var(--on4)}.a5{background:var(--a5);color:var(--on4)}
.p0{color:var(--alarm)}.p1{background:var(--p1);color:var(--on)}.p2{background:var(--p2);color:var(--on)}.p3{background:var(--p3);color:var(--on)}.p4{background:var(--p4);color:var(--on4)}.p5{background:var(--p5);color:var(--on4)}
.f{outline:2px solid var(--frame);outline-offset:-1px}
details{margin-top:1rem}summary{cursor:pointer;color:var(--link);padding:.25rem 0;width:fit-content}
.cells div{padding:.1rem .5rem;margin:0 -.5rem;border-radius:4px;scroll-margin-top:6rem}.cells div:target{background:var(--wait-bg);outline:2px solid var(--wait)}
.names{display:flex;flex-wrap:wrap;gap:.25rem .4rem;margin:.2rem 0 .4rem;font-size:.875rem}.names li{border:1px solid var(--line);border-radius:4px;padding:0 .4rem;background:var(--card);white-space:pre-wrap;min-width:0}.names i{font-style:normal;color:var(--dim)}.names .wait{border-color:currentColor}
.sheet{border-collapse:collapse;width:100%;font-size:.875rem}
.sheet th,.sheet td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);overflow-wrap:break-word}
.sheet thead th{color:var(--dim);font-weight:500;white-space:nowrap}
.sheet .s,.sheet time{white-space:nowrap}.sheet .x{overflow-wrap:anywhere}
.num{text-align:right!important;white-space:nowrap}
footer{padding-bottom:3rem;color:var(--dim);font-size:.875rem}
@media (max-width:40rem){.facts{display:block}.facts>div{display:grid;grid-template-columns:6.5rem 1fr;gap:0 .75rem;padding:.2rem 0}.facts dd{grid-column:2}dt{padding-top:.1rem}.map{font-size:.75rem}.map thead th:first-child{width:34%}}
@media screen and (max-width:40rem){${rowsAsBlocks('.sheet')}}
@media screen and (max-width:84rem){${rowsAsBlocks('.report')}}
@media print{.report{font-size:7pt}.report th,.report td{padding-right:.3rem}.report thead th{white-space:normal}:root{--bg:#fff;--card:#fff}body{font-size:10pt}header,main,footer{max-width:none;padding:0}main>section{border:0;border-radius:0;padding:0;margin:1rem 0}nav{display:none}.rows>li,.sheet tr,.map tr{break-inside:avoid}h2,h3,h4{break-after:avoid}thead{display:table-header-group}td,i{print-color-adjust:exact}a{color:inherit;text-decoration:none}}
@page{margin:15mm}
</style>`

/** What a policy names by its hash. */
export const style = styleElement.toString().slice('<style>'.length, -'</style>'.length)

/**
 * The content security policy of a page: no script, no file, no form; only its own style.
 *
 * @param styleHash SHA-256 of `style` in base64
 */
export const pagePolicy = (styleHash: string): Html =>
  html`default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`
