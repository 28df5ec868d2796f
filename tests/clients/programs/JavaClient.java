/** Games of all three kinds with the client of openapi-generator (library native). */

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.SlopecrashersApi;
import org.openapitools.client.api.SnowTimeApi;
import org.openapitools.client.api.SnowcrestApi;
import org.openapitools.client.model.*;

public class JavaClient {
    static String snowTime(SnowTimeApi api) throws Exception {
        Map<String, String> players = new LinkedHashMap<>();
        players.put("red", "anna");
        players.put("blue", "bob");
        players.put("green", "cleo");
        List<SnowTimeNewSeat> seats = new ArrayList<>();
        players.forEach((seat, player) -> seats.add(new SnowTimeNewSeat().seat(seat).player(player)));
        SnowTimeState state = api.snowTimeNew(new SnowTimeNewRequest().seats(seats)).getState();
        int events = 0;
        for (long round = 1; ; round++) {
            state = api.snowTimeGrow(new SnowTimeGrowRequest().state(state).seed(round)).getState();
            Map<String, SnowTimeMove> moves = new LinkedHashMap<>();
            for (String player : players.values()) {
                SnowTimeSuggestRequest question = new SnowTimeSuggestRequest()
                    .state(state).player(player).effort(Effort.QUICK).nonce("" + round);
                moves.putAll(((SnowTimeCardHint) api.snowTimeSuggest(question, null).getActualInstance()).getPick());
            }
            SnowTimeLegalMovesResponse legal;
            do {
                legal = api.snowTimeLegalMoves(new SnowTimeLegalMovesRequest().state(state).revealed(moves));
                legal.getMoves().forEach((seat, choices) -> moves.put(seat, choices.get(choices.size() - 1)));
            } while (!legal.getMoves().isEmpty());
            SnowTimeResolveResponse resolved =
                api.snowTimeResolve(new SnowTimeResolveRequest().state(state).moves(moves));
            state = resolved.getState();
            events += resolved.getEvents().size();
            if (resolved.getGameOver()) {
                return round + " " + events + " " + String.join(" ", resolved.getWinners());
            }
        }
    }

    static String slopecrashers(SlopecrashersApi api) throws Exception {
        List<SlopecrashersNewSeat> seats = List.of(
            new SlopecrashersNewSeat().player("anna"), new SlopecrashersNewSeat().player("bob"));
        SlopecrashersState state =
            api.slopecrashersNew(new SlopecrashersNewRequest().seats(seats).seed(1L)).getState();
        int events = 0;
        for (int turn = 1; ; turn++) {
            List<SlopecrashersAction> soFar = new ArrayList<>();
            while (true) {
                Object legal = api.slopecrashersLegalMoves(
                    new SlopecrashersLegalMovesRequest().state(state).soFar(soFar)).getActualInstance();
                if (legal instanceof SlopecrashersLegalMovesComplete) {
                    break;
                } else if (legal instanceof SlopecrashersLegalMovesDraw draw) {
                    var card = SlopecrashersCardOrUnknown.fromValue(draw.getDraw().get(0).getCard().getValue());
                    soFar.add(new SlopecrashersAction(new SlopecrashersActionDraw()
                        .type(SlopecrashersActionDraw.TypeEnum.DRAW).card(card)));
                } else {
                    soFar.add(api.slopecrashersSuggest(new SlopecrashersSuggestRequest()
                        .state(state).soFar(soFar).player(deciding(legal)).effort(Effort.QUICK), null).getPick());
                }
            }
            SlopecrashersResolveResponse resolved =
                api.slopecrashersResolve(new SlopecrashersResolveRequest().state(state).moves(soFar));
            state = resolved.getState();
            events += resolved.getEvents().size();
            if (resolved.getGameOver()) {
                return turn + " " + events + " " + String.join(" ", resolved.getWinners());
            }
        }
    }

    static String snowcrest(SnowcrestApi api) throws Exception {
        List<SnowcrestNewSeat> seats = List.of(
            new SnowcrestNewSeat().player("anna"), new SnowcrestNewSeat().player("bob"));
        SnowcrestState state =
            api.snowcrestNew(new SnowcrestNewRequest().seats(seats).seed(1L)).getState();
        int events = 0;
        for (int turn = 1; ; turn++) {
            List<SnowcrestAction> soFar = new ArrayList<>();
            while (true) {
                Object legal = api.snowcrestLegalMoves(
                    new SnowcrestLegalMovesRequest().state(state).soFar(soFar)).getActualInstance();
                if (legal instanceof SnowcrestLegalMovesComplete) {
                    break;
                } else if (legal instanceof SnowcrestLegalMovesDraw draw) {
                    var card = draw.getDraw().get(0).getCard();
                    soFar.add(new SnowcrestAction(new SnowcrestActionDraw()
                        .type(SnowcrestActionDraw.TypeEnum.DRAW).card(card)));
                } else {
                    soFar.add(api.snowcrestSuggest(new SnowcrestSuggestRequest()
                        .state(state).soFar(soFar).player(deciding(legal)).effort(Effort.QUICK), null).getPick());
                }
            }
            SnowcrestResolveResponse resolved =
                api.snowcrestResolve(new SnowcrestResolveRequest().state(state).moves(soFar));
            state = resolved.getState();
            events += resolved.getEvents().size();
            if (resolved.getGameOver()) {
                return turn + " " + events + " " + String.join(" ", resolved.getWinners());
            }
        }
    }

    /** Return the deciding player; each kind of decision has one. */
    static String deciding(Object legal) throws Exception {
        return (String) legal.getClass().getMethod("getPlayer").invoke(legal);
    }

    /** Decode a response of a later version, and return what is known of it. */
    static String later(String file) throws Exception {
        String text = java.nio.file.Files.readString(java.nio.file.Path.of(file));
        SnowTimeResolveResponse resolved = org.openapitools.client.JSON.getDefault().getMapper()
            .readValue(text, SnowTimeResolveResponse.class);
        return resolved.getEvents().size() + " " + resolved.getGameOver();
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1) {
            System.out.println(later(arguments[1]));
            return;
        }
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        System.out.println(snowTime(new SnowTimeApi(client)));
        System.out.println(slopecrashers(new SlopecrashersApi(client)));
        System.out.println(snowcrest(new SnowcrestApi(client)));
    }
}
