// usage: node shapes.ts  -> for each set: questions asked, faults, sample
import { mkdirSync, writeFileSync, readFileSync, rmSync } from 'node:fs';
import { join, basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { faultsAsFirst } from '/work/main/generator/cli/check.ts';
import { firstDraft } from '/work/main/generator/import/draft/first-draft.ts';
const F='/work/main/fixtures/imports/';
const S='/work/shared/data/';
const sets: any = {
 alko: {files:[F+'alko/alkon-hinnasto.xlsx'], stated:{currency:'EUR',country:'FI',zone:null}},
 bc: {files:[F+'british-columbia/bc-skus.csv',F+'british-columbia/bc.csv'], stated:{currency:'CAD',country:'CA',zone:'America/Vancouver'}},
 iowa: {files:[], stated:{currency:'USD',country:'US',zone:'America/Chicago'}},
 nc: {files:[], stated:{currency:'USD',country:'US',zone:'America/New_York'}},
 ohio: {files:[], stated:{currency:'USD',country:'US',zone:'America/New_York'}},
 systembolaget: {files:[], stated:{currency:'SEK',country:'SE',zone:null}},
 vinbudin: {files:[], stated:{currency:'ISK',country:'IS',zone:null}},
 vinmonopolet: {files:[], stated:{currency:'NOK',country:'NO',zone:null}},
};
import { readdirSync } from 'node:fs';
for (const [n,d] of [['iowa','iowa'],['nc','north-carolina'],['ohio','ohio'],['systembolaget','systembolaget'],['vinbudin','vinbudin'],['vinmonopolet','vinmonopolet']]) sets[n].files=readdirSync(F+d).filter(f=>!/recipe|curation|README/.test(f)).map(f=>F+d+'/'+f);
sets.montgomery={files:[S+'agencies/montgomery/2026-01-14.csv.gz'],stated:{currency:'USD',country:'US',zone:'America/New_York'}};
const R='/work/tmp/reader/files/';
for (const k of Object.keys(sets)) delete sets[k];
const st={currency:'USD',country:'US',zone:'America/Denver'};
for (const n of ['s1','s2','s4','s4b','s4c','s5','m1b','m2b','m4a','m4b','m7']) sets[n]={files:readdirSync(R+n).map(f=>R+n+'/'+f),stated:st};
sets.s5both={files:[...readdirSync(R+'s5').map(f=>R+'s5/'+f),R+'s5s/stores.csv'],stated:st};
sets.s3={files:readdirSync(R+'s3').map(f=>R+'s3/'+f),stated:{currency:'EUR',country:'DE',zone:'Europe/Berlin'}};
sets.casebug={files:['/work/tmp/reader/min/casebug.csv'],stated:st};
const only=process.argv[2];
for (const [name,{files,stated}] of Object.entries<any>(sets)) {
  if (only && only!==name) continue;
  const asked:string[]=[];
  const t=Date.now();
  const ask=async(q:any)=>{
    const last=q.places[0]?.at(-1), field=q.places[0]?.[2];
    let a:any;
    if(q.places.length===0) a='nothing of these';
    else if(q.kind==='words') a=q.words;
    else if(field==='lifecycle') a='active'; else if(field==='access_type') a='consumer_state_store'; else if (field==='size_of') a='container';
    else if(last==='column') a=field==='category_id'?'none of these':q.choices[0];
    else if(q.kind==='choice') a=q.choices[0];
    else if(last==='zone'||last==='time_zone') a=q.usual;
    else if (last==='pad'||last==='pattern') a='6'; else if(field==='address.region') a='IA';
    else a=q.usual??'X';
    asked.push(`${q.text} [${q.allowed.slice(0,80)}] -> ${String(a).slice(0,60)}`);
    return a;
  };
  try {
    const d=await firstDraft(files.map((path:string)=>({path,part:null})),stated,{bundled:[],ask,day:'2026-01-14',check:faultsAsFirst,onProgress(){},onColumns(){}});
    console.log(`\n=== ${name} ${Date.now()-t} ms`); for(const a of asked) console.log('  ?',a);
    for (const c of d.columns) console.log('   ',c.file.slice(0,20),'|',c.column,'|',c.example.slice(0,30),'|',c.field,'|',c.why);
    for (const n of d.notes) console.log('  note',n.slice(0,200));
    for (const f of d.faults) console.log('  FAULT',f.slice(0,250));
    for (const p of d.products.slice(0,3)) console.log('   →',p.result.map(r=>r.join('=')).join(', '));
  } catch(e:any){ console.log(`\n=== ${name} ERROR`,e.message, e.lines); }
}
